/* Fills all the memory it gets when it is asked, and ends as programs do that get no more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        char *at = strstr(line, "\"id\":");
        if (strstr(line, "\"type\":\"decide\""))
            for (;;) {
                char *part = malloc(8 << 20);
                if (part == NULL)
                    abort();
                memset(part, 1, 8 << 20);
            }
        printf("{\"type\":\"ready\",\"id\":%ld}\n", at ? atol(at + 5) : 0);
        fflush(stdout);
    }
    return 0;
}
