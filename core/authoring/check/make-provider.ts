import { Environment } from '../../config/environment';
import { givenEntry } from '../../config/given-entry';
import type { Logger } from '../../contract/api';
import { Redactor } from '../../contract/redact';
import type { Plugin } from '../../plugins/discover';
import { KeptTable } from '../../plugins/kept-table';
import { PluginRegistry } from '../../plugins/registry';
import { buildProviders } from '../../providers/build-providers';

interface Surroundings {
  /** What messages name as the source of the options. */
  source: string;
  /** Looked up at each use. */
  environment: NodeJS.ProcessEnv;
  log: Logger;
  cacheDirectory: string;
  redactor?: Redactor;
}

/** Makes one provider on a plug-in as the daemon does, under the name `tested`. */
export function makeProvider(
  plugin: Plugin,
  options: Record<string, unknown>,
  { source, environment, redactor = new Redactor(), ...rest }: Surroundings,
) {
  const entries = [givenEntry({ ...options, name: 'tested', driver: plugin.driver }, source)];
  const { made, problems, warnings } = buildProviders(
    { entries },
    {
      ...rest,
      plugins: new PluginRegistry([plugin]),
      environment: new Environment({ processEnvironment: environment }),
      redactor,
      ownSecrets: new Set(),
      // What other providers keep has no effect on this one.
      kept: new KeptTable(() => Infinity),
    },
  );
  return { provider: made[0]?.device, problems, warnings };
}
