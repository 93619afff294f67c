/* A bot in C, without libraries: reads one JSON object a line, writes one a line.
   stderr is for notes. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20];

/* The number of the option to take, counted from 0. Enough for the options, which come before the
   view; a JSON library reads the view too. */
static int choose(const char *asked) {
    const char *at = strstr(asked, "\"options\":[");
    int place = 0;
    if (!at) return 0;
    for (at += strlen("\"options\":["); *at == '"'; place++) {
        if (!strncmp(at + 1, "build", 5)) return place;
        at = strchr(at + 1, '"');
        if (!at) return 0;
        at += at[1] == ',' ? 2 : 1;
    }
    return 0;
}

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        const char *found = strstr(line, "\"id\":");
        long long id = found ? atoll(found + 5) : 0;
        if (strstr(line, "\"type\":\"decide\""))
            printf("{\"type\":\"choice\",\"id\":%lld,\"option\":%d}\n", id, choose(line));
        else if (strstr(line, "\"type\":\"bye\""))
            return 0;
        else if (!strstr(line, "\"type\":\"observe\""))
            printf("{\"type\":\"ready\",\"id\":%lld}\n", id);
        fflush(stdout); /* or the arena waits for ever */
    }
    return 0;
}
