import { formatProblem, type Problem } from '../../errors';
import { pluginProblem, unusablePlugins } from '../../daemon/project/plugin-problem';
import type { Project } from '../../daemon/project/project';
import { type Finding, finding } from './finding';

/** What the configuration says of itself. To be asked after the providers were: by then it is known which plug-ins load. */
export function configFindings(project: Project): Finding[] {
  const { files, notices, warnings, paths, plugins } = project;
  const bad = unusablePlugins(plugins);
  const aboutPlugins = new Set(bad.map((plugin) => pluginProblem(plugin).message));
  const others = [...notices, ...warnings].filter(({ message }) => !aboutPlugins.has(message));
  return [
    files.length > 0
      ? finding('config_files', 'ok', files.join(' and '))
      : finding(
          'config_files',
          'note',
          `no file at ${paths.globalConfig}, so the built-in provider is used`,
          'drivebay init',
        ),
    ...others.map((problem) => fromProblem(problem, 'config_warning', 'warning')),
    ...defaultFindings(project),
    ...bad.map((plugin) =>
      finding(
        'plugin',
        'warning',
        `${plugin.directory} is ${plugin.state}: ${plugin.reason}`,
        plugin.state === 'failed'
          ? `drivebay plugins check ${plugin.directory}`
          : 'rename one of the two, or remove it',
      ),
    ),
  ];
}

/** A configuration with mistakes in it: nothing can be said of its providers. */
export function invalidConfig(problems: readonly Problem[]): Finding[] {
  return problems.map((problem) => fromProblem(problem, 'config_invalid', 'broken'));
}

function fromProblem(
  { hint, ...problem }: Problem,
  code: 'config_warning' | 'config_invalid',
  severity: 'warning' | 'broken',
): Finding {
  return finding(
    code,
    severity,
    formatProblem(problem),
    hint ?? (severity === 'broken' ? 'drivebay config check' : undefined),
  );
}

function defaultFindings({ defaultProvider, standard, devices }: Project): Finding[] {
  const [first] = devices.llms();
  if (first === undefined)
    return [finding('default_provider', 'warning', 'no provider is configured', 'drivebay init')];
  if (defaultProvider !== undefined) return [finding('default_provider', 'ok', defaultProvider)];
  const agents = standard ? `agents use the built-in provider ${standard.device.name}` : 'agents need --provider';
  const message = `none: a model name that belongs to nobody is answered with 404, and ${agents}`;
  return [finding('default_provider', 'note', message, `add to providers.yaml: default_provider: ${first.name}`)];
}
