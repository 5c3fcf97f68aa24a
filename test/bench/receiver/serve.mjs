// A process of its own that answers in one way: serve.mjs WAY OPTIONS. Tells its port, and, when it is asked, the CPU
// it has used and how many jobs it finds in its queue.
const [way, options = '{}'] = process.argv.slice(2);
const { start } = await import(`./servers/${way}.mjs`);
const server = await start(JSON.parse(options));

const answers = {
  cpu() {
    const { user, system } = process.cpuUsage();
    return { micros: user + system };
  },
  count: async () => ({ count: await server.count() }),
};

async function reply(question) {
  process.send(await answers[question]());
}

async function stop() {
  await server.close?.();
  process.exit();
}

process.on('message', (question) => void reply(question));
process.on('disconnect', () => void stop());
process.send({ port: server.port });
