// A bot in Java, without packages: reads one JSON object a line, writes one a line.
// System.err is for notes. Run build.sh after every change.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class Bot {
    /** The number of the option to take, counted from 0; asked.get("view") is what the seat knows. */
    static int choose(Map<?, ?> asked) {
        List<?> options = (List<?>) asked.get("options");
        for (int place = 0; place < options.size(); place++) {
            if (((String) options.get(place)).startsWith("build")) return place;
        }
        return 0;
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true);
        String line;
        while ((line = in.readLine()) != null) {
            Map<?, ?> message = (Map<?, ?>) new Json(line).value();
            Object id = message.get("id");
            switch ((String) message.get("type")) {
                case "decide" ->
                    out.print("{\"type\":\"choice\",\"id\":" + id + ",\"option\":" + choose(message) + "}\n");
                case "hello", "start", "finish" -> out.print("{\"type\":\"ready\",\"id\":" + id + "}\n");
                case "bye" -> {
                    return;
                }
                default -> { }
            }
            out.flush(); // or the arena waits for ever
        }
    }
}

/** Reads JSON: objects are maps, arrays lists, numbers Long or Double. */
class Json {
    private final String text;
    private int at = 0;

    Json(String text) {
        this.text = text;
    }

    Object value() {
        return switch (next()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    /** The next sign that is no blank, which is not read yet. */
    private char next() {
        while (Character.isWhitespace(text.charAt(at))) at++;
        return text.charAt(at);
    }

    /** Whether the next sign is this one, which is then read. */
    private boolean reads(char sign) {
        boolean found = next() == sign;
        if (found) at++;
        return found;
    }

    private Map<String, Object> object() {
        Map<String, Object> found = new LinkedHashMap<>();
        at++;
        if (reads('}')) return found;
        do {
            next();
            String key = string();
            if (!reads(':')) throw new IllegalArgumentException("expected : at " + at);
            found.put(key, value());
        } while (reads(','));
        if (!reads('}')) throw new IllegalArgumentException("expected } at " + at);
        return found;
    }

    private List<Object> array() {
        List<Object> found = new ArrayList<>();
        at++;
        if (reads(']')) return found;
        do found.add(value());
        while (reads(','));
        if (!reads(']')) throw new IllegalArgumentException("expected ] at " + at);
        return found;
    }

    private String string() {
        StringBuilder found = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            char sign = text.charAt(at);
            if (sign == '\\') {
                sign = text.charAt(++at);
                int place = "bfnrt".indexOf(sign);
                if (place >= 0) sign = "\b\f\n\r\t".charAt(place);
                if (sign == 'u') {
                    sign = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                    at += 4;
                }
            }
            found.append(sign);
        }
        at++;
        return found.toString();
    }

    private Object number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
        String digits = text.substring(start, at);
        boolean whole = digits.chars().noneMatch(sign -> ".eE".indexOf(sign) >= 0);
        return whole ? (Object) Long.valueOf(digits) : (Object) Double.valueOf(digits);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) throw new IllegalArgumentException("expected " + word + " at " + at);
        at += word.length();
        return value;
    }
}
