/** The configuration of a house after so many reloads. JSON is YAML. */
export function makeConfig({ backends: { main, dying }, agent }, reloads) {
  const chat = (name, { port }, more) => ({
    ...{ name, driver: 'chat-compat', base_url: `http://127.0.0.1:${port}/v1`, default_model: 'm' },
    ...more,
  });
  return {
    version: '1',
    default_provider: 'main',
    providers: [
      chat('main', main, { embedding_model: 'm', timeout_sec: 60 + (reloads % 2) }),
      ...(reloads % 3 === 1 ? [chat('now-and-then', main)] : []),
      chat('dying', dying),
      { ...chat('sdk', main), driver: 'eta', base_url: `http://127.0.0.1:${main.port}`, api_key_env: 'SOAK_KEY' },
      { name: 'agent', driver: 'alpha-cli', command: agent, grace_sec: 1, max_concurrency: 8 },
      { name: 'probe', driver: 'probe' },
    ],
    routes: [{ name: 'smart', targets: ['dying', 'main'] }],
  };
}
