/* Takes the option of its last argument's number, always; with no library but C's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        if (strstr(line, "\"type\":\"bye\"") || !id) return 0;
        long long number = atoll(id + 5);
        if (strstr(line, "\"type\":\"decide\""))
            printf("{\"type\":\"choice\",\"id\":%lld,\"option\":%s}\n", number, words[count - 1]);
        else
            printf("{\"type\":\"ready\",\"id\":%lld}\n", number);
        fflush(stdout);
    }
    return 0;
}
