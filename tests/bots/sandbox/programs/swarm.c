/* Every thread starts threads, all at once, for as long as it lives. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *start(void *nothing) {
    pthread_t other;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    for (;;)
        pthread_create(&other, &small, start, nothing);
    return nothing;
}

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        char *at = strstr(line, "\"id\":");
        if (strstr(line, "\"type\":\"decide\""))
            start(NULL);
        printf("{\"type\":\"ready\",\"id\":%ld}\n", at ? atol(at + 5) : 0);
        fflush(stdout);
    }
    return 0;
}
