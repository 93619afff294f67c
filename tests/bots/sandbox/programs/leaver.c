/* Asked to decide, a thread begins the program anew, which takes over the process. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *begin_anew(void *program) {
    execl(program, program, "stay", NULL);
    return NULL;
}

int main(int count, char **words) {
    static char line[1 << 16];
    while (count > 1)
        pause();
    while (fgets(line, sizeof line, stdin)) {
        pthread_t other;
        char *at = strstr(line, "\"id\":");
        if (strstr(line, "\"type\":\"decide\"")) {
            pthread_create(&other, NULL, begin_anew, words[0]);
            pause();
        }
        printf("{\"type\":\"ready\",\"id\":%ld}\n", at ? atol(at + 5) : 0);
        fflush(stdout);
    }
    return 0;
}
