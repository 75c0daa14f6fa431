import { join } from 'node:path';
import { homeFolder } from '../../paths';
import { askManager, command, type ServiceManager } from './service-manager';
import type { ServicePlan } from './service-plan';

const UNIT = 'drivebay.service';
const HINT =
  'systemd does not run for this user here: log in on the machine itself, or run loginctl enable-linger, and try again; until then: drivebay serve';

/** The user's own systemd. */
export function systemd(environment: NodeJS.ProcessEnv): ServiceManager {
  const { XDG_CONFIG_HOME: config } = environment;
  const folder = config?.startsWith('/') ? config : join(homeFolder(environment) ?? '/', '.config');
  const file = join(folder, 'systemd', 'user', UNIT);
  const systemctl = (...words: string[]) => command(['systemctl', '--user', ...words], HINT);
  return {
    file,
    logCommand: ['journalctl', '--user', '--unit', UNIT],
    describe,
    async start() {
      await systemctl('daemon-reload');
      // By path: systemd may not have the XDG_CONFIG_HOME of this terminal.
      await systemctl('enable', file);
      await systemctl('restart', UNIT);
    },
    stop: () => systemctl('disable', '--now', UNIT),
    state: async () => (await askManager('systemctl', '--user', 'is-active', UNIT)).output,
  };
}

function describe(plan: ServicePlan): string {
  const { command: words, reloadCommand, workingDirectory, environment, environmentFile } = plan;
  const variables = Object.entries(environment).map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`);
  return `[Unit]
Description=Drivebay, one local endpoint for every LLM
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${words.map(quoteWord).join(' ')}
# Not a signal: "systemctl --user reload" then says whether the configuration has a mistake.
ExecReload=${reloadCommand.map(quoteWord).join(' ')}
WorkingDirectory=${escape(workingDirectory)}
${variables.join('\n')}
EnvironmentFile=-${escape(environmentFile)}
Restart=on-failure
RestartSec=2
# Another start does not mend a mistake in the configuration (2).
RestartPreventExitStatus=2
SuccessExitStatus=130
# The gateway ends its own programs, which takes a while.
KillMode=mixed
TimeoutStopSec=45

[Install]
WantedBy=default.target
`;
}

/** systemd replaces `%x` everywhere. */
function escape(text: string): string {
  return text.replace(/%/g, '%%');
}

function quote(text: string): string {
  return `"${escape(text).replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}

/** In a command line systemd replaces variables too. */
function quoteWord(word: string): string {
  return /^[\w@/.:=-]+$/.test(word) ? word : quote(word).replace(/\$/g, '$$$$');
}
