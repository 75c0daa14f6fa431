import { formatTime } from '../../contract/wall-clock';
import type { CallPlan } from '../../daemon/explain/call-plan';
import { explainCall, type CallExplanation } from '../../daemon/explain/explain-call';
import { defined } from '../../fields';
import { printable } from '../../log/printable';
import { Rehearsal } from '../../providers/rehearsal';
import { formatFacts, formatTable, paint, printReport, printWarningsFor } from '../terminal/print';
import type { CommonFlags } from '../command-options';
import { EXIT } from '../exit-codes';
import { workingDirectory } from '../here';
import { withProjectHere } from '../open-project';
import { shellWords } from '../../shell-words';
import { shorten } from '../terminal/format';
import { untilInterrupted } from '../terminal/signals';

interface ExplainOptions extends CommonFlags {
  model?: string;
  reasoningEffort?: string;
  as: 'chat' | 'agent';
}

/** `providers explain`: what one call would do, without doing it. Exit code 1 where there would be no call. */
export async function providersExplain(name: string, options: ExplainOptions): Promise<void> {
  const rehearsal = new Rehearsal();
  await withProjectHere({ useProject: options.project, rehearsal }, async ({ project, redactor }) => {
    printWarningsFor([name], project.devices.llms(), [...project.takeNotices(), ...project.warnings]);
    const device = project.devices.need(name);
    const directory = project.paths.projectRoot;
    const workspace = defined({ workingDirectory: workingDirectory(), directory, skills: [], first: true });
    const wanted = {
      model: options.model || undefined,
      effort: options.reasoningEffort || undefined,
      workspace: options.as === 'agent' ? workspace : undefined,
    };
    const explanation = await untilInterrupted(explainCall(device, { project, rehearsal, redactor }, wanted));
    if (explanation.failure) process.exitCode = EXIT.failure;
    printReport(options.json, explanation, () => describe(explanation));
  });
}

function describe(explanation: CallExplanation): string {
  const { route, provider, driverAlias, model, plan, failure, ignored, pays, key, options } = explanation;
  const facts: [string, string][] = [
    ...(route ? [describeRoute(route)] : []),
    ['provider', `${provider} (driver ${driverAlias})`],
    ['model', model ?? 'left to the backend'],
    ['pays', key && pays === key.name ? 'the owner of the key' : (pays ?? 'not known')],
  ];
  if (key) facts.push(['key', `${key.name}, ${key.from === null ? 'which is not set' : `from ${key.from}`}`]);
  if (ignored.length > 0) facts.push(['ignored', ignored.join(', ')]);
  if (plan) facts.push(...describePlan(plan));
  const lines = [formatFacts(facts)];
  if (failure) lines.push(paint('red', `no call: ${printable(failure.message)}`));
  if (failure?.hint) lines.push(`  ${failure.hint}`);
  const rows = options.map(({ name, value, from }) => [`  ${name}`, shorten(JSON.stringify(value), 60), from]);
  return [...lines, '', formatTable(['Option', 'Value', 'From'], rows)].join('\n');
}

/** The call that follows is that of one target. */
function describeRoute({ name, targets }: NonNullable<CallExplanation['route']>): [string, string] {
  const named = targets.map(({ provider, model, until }) => {
    const target = model === null ? provider : `${provider}:${model}`;
    return until === null ? target : `${target} (rests until ${formatTime(until)})`;
  });
  return ['route', `${name}: ${named.join(', ')}`];
}

function describePlan(plan: CallPlan): [string, string][] {
  if (plan.type === 'request') {
    const headers = Object.entries(plan.headers).map(([name, value]) => `${name}: ${value}`);
    return [
      ['request', `${plan.method} ${plan.url}`],
      ['headers', headers.join('\n') || 'none'],
      ['body', typeof plan.body === 'string' ? plan.body : JSON.stringify(plan.body, undefined, 2)],
    ];
  }
  const changes = plan.environment.map(({ name, value }) => (value === null ? `- ${name}` : `+ ${name}=${value}`));
  return [
    ['program', plan.command],
    ['arguments', argumentLines(plan.args) || 'none'],
    ['folder', plan.cwd],
    ['stdin', plan.stdin ?? 'the message, while it runs'],
    ['variables', changes.join('\n') || 'as they are here'],
  ];
}

/** A flag and its value on one line, quoted for a shell. */
function argumentLines(args: string[]): string {
  let text = '';
  for (const arg of args) text += `${text === '' ? '' : arg.startsWith('-') ? '\n' : ' '}${shellWords([arg])}`;
  return text;
}
