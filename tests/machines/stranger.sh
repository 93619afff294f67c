#!/bin/sh
# Run `make machine` as a plain user without the tools that a machine may lack.
#
#     tests/machines/stranger.sh [FOLDER_OF_A_PYTHON]
#
# Needs root. The last commit is cloned into a folder of that user's own, whose PATH leads to all
# programs but the optional ones. The Python may be one that only root can reach.
set -eu
cd "$(dirname "$0")/../.."
hidden=" bwrap chromium chromium-browser cc gcc c++ g++ node java javac go rustc lua5.4 valgrind "
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
git clone -q . "$home/arena"
mkdir "$home/bin"
for program in /usr/local/bin/* /usr/bin/* /usr/sbin/*; do
  name=${program##*/}
  case $hidden in *" $name "*) ;; *) ln -sf "$program" "$home/bin/$name" ;; esac
done
rm -f "$home"/bin/*-linux-gnu-* # compilers by their long names
python=/usr/bin/python3
[ $# = 0 ] || python=/mnt/bin/python3
chown -R nobody: "$home"
chmod 755 "$home"
export home python
unshare --mount sh -euc '
  mount --make-rprivate /
  [ $# = 0 ] || mount --bind "$1" /mnt
  cd "$home/arena"
  exec setpriv --reuid=nobody --regid=nogroup --clear-groups \
    env HOME="$home" PATH="$home/bin" make machine PYTHON="$python"
' sh "$@"
