#!/bin/sh
# One tournament on several nodes of Slurm: sbatch --nodes 4 slurm.sh random greedy ./mine.py --rounds 20
#SBATCH --job-name=arena
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
set -eu

head=$(hostname)
umask 077
ARENA_CLUSTER_TLS=$(mktemp -d "$HOME/arena-tls-XXXXXX") # seen by all nodes, and by nobody else
export ARENA_CLUSTER_TLS
trap 'kill "$scheduler" "$workers" 2>/dev/null; rm -rf "$ARENA_CLUSTER_TLS"' EXIT

arena cluster certificates "$ARENA_CLUSTER_TLS"
arena cluster scheduler --host "$head" --port 8786 &
scheduler=$!
srun arena cluster worker --scheduler "tls://$head:8786" &
workers=$!
arena tournament run "$@" --cluster "tls://$head:8786"
