import java.util.*;
import java.util.concurrent.*;
public class Talk {
    static String id(String line) {
        int at = line.indexOf("\"id\":") + 5, end = at;
        while (Character.isDigit(line.charAt(end))) end++;
        return line.substring(at, end);
    }
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            String line = in.nextLine();
            boolean asked = line.contains("\"type\":\"decide\"");
            Thread t = new Thread(() -> {}); t.start(); t.join();
            int sum = pool.submit(() -> 1 + 1).get();
            System.out.println("{\"type\":\"" + (asked ? "choice" : "ready") + "\",\"id\":" + id(line) + (asked ? ",\"option\":0}" : "}"));
            System.out.flush();
        }
    }
}
