#!/bin/sh
# Run `make stranger` as a plain user without the tools that a machine may lack.
#
#     tests/machines/stranger.sh [FOLDER_OF_A_PYTHON]
#
# Needs root. The last commit is cloned into a folder of that user's own, whose PATH leads to all
# programs but the optional ones. The Python may be one that only root can reach: it stays where it
# was built to be, in place of root's home.
set -eu
cd "$(dirname "$0")/../.."
hidden=" bwrap chromium chromium-browser cc gcc c++ g++ node java javac go rustc lua5.4 mono mcs valgrind pg_ctl initdb "
stranger=$(mktemp -d)
trap 'rm -rf "$stranger"' EXIT
git clone -q . "$stranger/arena"
mkdir "$stranger/bin"
for program in /usr/local/bin/* /usr/bin/* /usr/sbin/*; do
  name=${program##*/}
  case $hidden in *" $name "*) ;; *) ln -sf "$program" "$stranger/bin/$name" ;; esac
done
rm -f "$stranger"/bin/*-linux-gnu-* # compilers by their long names
chown -R nobody: "$stranger"
chmod 755 "$stranger"
export stranger
unshare --mount sh -euc '
  mount --make-rprivate /
  [ ! -d /usr/lib/postgresql ] || mount -t tmpfs tmpfs /usr/lib/postgresql
  python=/usr/bin/python3
  if [ $# != 0 ]; then
    mount --bind "$1" /mnt
    mount -t tmpfs -o mode=755 tmpfs "$HOME"
    mkdir -p "$1"
    mount --bind /mnt "$1"
    python=$1/bin/python3
  fi
  cd "$stranger/arena"
  exec setpriv --reuid=nobody --regid=nogroup --clear-groups \
    env HOME="$stranger" PATH="$stranger/bin" make stranger PYTHON="$python"
' sh "$@"
