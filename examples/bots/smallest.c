/* An engine in C: it takes the smallest legal move. Build it: cc -o smallest smallest.c */
#include <stdio.h>
#include <string.h>

static char line[1 << 20];

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* send each line at once */
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "duel ", 5)) {
            puts("bot Smallest\nwant legal\nok");
        } else if (!strncmp(line, "go ", 3)) {
            char *legal = strstr(line, " legal ");
            if (legal)
                printf("move %s\n", strtok(legal + strlen(" legal "), " \n"));
            else
                puts("resign");
        } else if (!strncmp(line, "quit", 4)) {
            break;
        }
    }
    return 0;
}
