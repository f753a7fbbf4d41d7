# Two hosts on one machine, for scripts that source this: two network namespaces, each with a host name of its own, joined
# by a bridge. Wants root and `ip`, and says so. Before: rate, the megabits a second between them, empty for any. After:
# over, start, fail and says, and the folder $folder; all is gone when the script ends.
if [[ $(id -u) != 0 ]] || ! command -v ip >/dev/null; then
  echo "${0##*/} makes network namespaces: run it as root, with ip (apt-get install iproute2)" >&2
  exit 2
fi

# One name for all that this run makes, so that runs do not meet.
id=$$
net="10.$((77 + id / 250 % 150)).$((id % 250))"
space() { echo "plumb$id-$1"; }
folder=$(mktemp -d)
cleanup() {
  for host in 1 2; do
    ip netns pids "$(space $host)" 2>/dev/null | xargs -r kill -KILL 2>/dev/null || true
    ip netns del "$(space $host)" 2>/dev/null || true
  done
  ip link del "pb$id" 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanup EXIT

ip link add "pb$id" type bridge
ip addr add "$net.254/24" dev "pb$id"
ip link set "pb$id" up
for host in 1 2; do
  ip netns add "$(space $host)"
  ip link add "pv$id-$host" type veth peer name eth0 netns "$(space $host)"
  ip link set "pv$id-$host" master "pb$id" up
  ip -n "$(space $host)" addr add "$net.$host/24" dev eth0
  ip -n "$(space $host)" link set eth0 up
  ip -n "$(space $host)" link set lo up
  [[ -z $rate ]] || tc -n "$(space $host)" qdisc add dev eth0 root tbf rate "${rate}mbit" burst 256kb latency 50ms
done

# Stands in for ssh: mpirun starts its daemons with it.
cat >"$folder/rsh" <<END
#!/usr/bin/env bash
host=\$1; shift
exec ip netns exec plumb$id-\${host##*.} unshare -u bash -c "hostname host\${host##*.}; export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; \$*"
END
chmod +x "$folder/rsh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

fail() {
  echo "$*"
  cat "$folder/log"
  exit 1
}
# start RANKS OPTIONS... -- COMMAND...: on both hosts, half of the ranks on each, in the background: the process $run;
# what is printed is in $folder/log.
start() {
  local ranks=$1 options=()
  shift
  while [[ $1 != -- ]]; do options+=("$1") && shift; done
  shift
  timeout --kill-after=5 "${limit:-180}" mpirun -n "$ranks" --host "$net.1:$((ranks / 2)),$net.2:$((ranks / 2))" --map-by slot \
    --mca plm rsh --mca plm_rsh_agent "$folder/rsh" --mca oob_tcp_if_include "$net.0/24" \
    --mca btl_tcp_if_include "$net.0/24" "${options[@]}" "$@" >"$folder/log" 2>&1 &
  run=$!
}
# over RANKS OPTIONS... -- COMMAND...: the same, until it has ended well.
over() {
  local status=0
  start "$@"
  wait "$run" || status=$?
  [[ $status == 0 ]] || fail "exit code $status: $*"
}
says() { grep -qE -- "$1" "$folder/log" || fail "no '$1'"; }
