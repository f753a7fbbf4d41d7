"""Steps over TensorFlow's own gRPC parameter servers: tensorflow_servers.py null|dense SERVERS WORKERS MB.

For a Python that has TensorFlow. Each server and worker is a process of this machine with a tf.distribute.Server, as the
ranks of plumb_ranks are; the first worker prints the median seconds of a step, "seconds 0.001". A step brings what each
server keeps to the worker, and leaves it there: nothing is converted for Python. It is timed as bench/mpi/steady.h does.
"""

import os
import signal
import socket
import statistics
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
BUDGET = 0.4  # seconds
LEAST_STEPS = 3


def free_addresses(count):
    """All are held until all are known, so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("localhost", 0))
    addresses = [f"localhost:{each.getsockname()[1]}" for each in sockets]
    for each in sockets:
        each.close()
    return addresses


def serve(tf, cluster, number):
    tf.distribute.Server(cluster, job_name="ps", task_index=number).join()


def median_step(step):
    def steps_for(budget, least):
        seconds = []
        while sum(seconds) < budget or len(seconds) < least:
            began = time.perf_counter()
            step()
            seconds.append(time.perf_counter() - began)
        return seconds

    steps_for(BUDGET / 4, 1)
    return statistics.median_high(steps_for(BUDGET, LEAST_STEPS))


def work(tf, cluster, number, floats):
    v1 = tf.compat.v1
    v1.disable_eager_execution()
    servers = len(cluster["ps"])
    server = tf.distribute.Server(cluster, job_name="worker", task_index=number)
    arrived, variables = [], []
    for i in range(servers):
        with tf.device(f"/job:ps/task:{i}"):
            initial = tf.ones([floats] if floats else [])
            variables.append(v1.Variable(initial, use_resource=False, name=f"v{i}"))
            read = tf.identity(variables[i])
        with tf.device(f"/job:worker/task:{number}"):
            arrived.append(tf.identity(read))
    # A worker asks for nobody but the servers. Optimizers would see that nobody looks at what arrives, and send nothing.
    config = v1.ConfigProto(device_filters=["/job:ps", f"/job:worker/task:{number}"])
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = v1.OptimizerOptions.L0
    with v1.Session(server.target, config=config) as session:
        session.run(v1.variables_initializer(variables))
        everything = tf.group(*arrived)
        step = session.make_callable(everything)
        seconds = median_step(step)
    if number == 0:
        print(f"seconds {seconds:.9f}", flush=True)


def start(task, *arguments):
    """The process that does it."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            task(*arguments)
            status = 0
        finally:
            sys.stdout.flush()
            os._exit(status)
    return child


def main():
    told, servers, workers, megabytes = sys.argv[1], *map(int, sys.argv[2:])
    # What is imported before is shared by all processes; TensorFlow has started nothing yet that a fork would lose.
    import tensorflow as tf  # pylint: disable=import-outside-toplevel

    addresses = free_addresses(servers + workers)
    cluster = {"ps": addresses[:servers], "worker": addresses[servers:]}
    floats = megabytes * 1_000_000 // 4 if told == "dense" else 0
    serving = [start(serve, tf, cluster, number) for number in range(servers)]
    working = [start(work, tf, cluster, number, floats) for number in range(workers)]
    try:
        failed = sum(os.waitpid(worker, 0)[1] != 0 for worker in working)
    finally:
        for server in serving:  # they would serve for ever
            os.kill(server, signal.SIGKILL)
            os.waitpid(server, 0)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
