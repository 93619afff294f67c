#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void *work(void *x) { return malloc(1 << 20); }
int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        pthread_t t; void *got;
        if (pthread_create(&t, NULL, work, NULL)) { perror("thread"); return 3; }
        pthread_join(t, &got); free(got);
        char *at = strstr(line, "\"id\":");
        long long id = at ? atoll(at + 5) : 0;
        int asked = strstr(line, "\"type\":\"decide\"") != NULL;
        printf(asked ? "{\"type\":\"choice\",\"id\":%lld,\"option\":0}\n" : "{\"type\":\"ready\",\"id\":%lld}\n", id);
        fflush(stdout);
    }
}
