package main
import ("bufio"; "fmt"; "os"; "strings"; "sync")
func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil { return }
		var wg sync.WaitGroup
		for i := 0; i < 8; i++ { wg.Add(1); go func() { x := 0; for j := 0; j < 1000000; j++ { x += j }; wg.Done() }() }
		wg.Wait()
		var id int64
		fmt.Sscanf(line[strings.Index(line, "\"id\":")+5:], "%d", &id)
		if strings.Contains(line, "\"type\":\"decide\"") { fmt.Printf("{\"type\":\"choice\",\"id\":%d,\"option\":0}\n", id) } else { fmt.Printf("{\"type\":\"ready\",\"id\":%d}\n", id) }
	}
}
