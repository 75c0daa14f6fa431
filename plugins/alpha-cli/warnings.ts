import type { Probe } from './capabilities';

const NO_WAY_TO_ASK = 'permission questions have nobody to answer them';

export interface RunNeeds {
  permissionMode: string;
  hasSkills: boolean;
  hasTools: boolean;
}

/** What a run has to do without because the program cannot do it: why, and what to do about it. */
export function missingFlags({ capabilities: can, failure }: Probe, needs: RunNeeds, name: string): string[] {
  if (failure !== undefined) {
    const effect = 'answers arrive whole, and permission_mode and the folders of skills are not passed';
    return [`"${name} -p --help" failed (${failure}): ${effect}; run it by hand, then restart drivebay`];
  }
  const update = `run: ${name} update`;
  const warnings: string[] = [];
  if (!can.partialMessages) {
    warnings.push(`${name} has no --include-partial-messages: answers arrive whole; ${update}`);
  }
  if (needs.permissionMode && !can.permissionMode) {
    const way = `${update}, or set permission_mode: ""`;
    warnings.push(`${name} has no --permission-mode: it is not passed, and ${NO_WAY_TO_ASK}; ${way}`);
  }
  if (needs.hasSkills && !can.addDir) {
    warnings.push(`${name} has no --add-dir: it may not read the folders of skills; ${update}`);
  }
  if (!needs.hasTools && !can.tools) {
    warnings.push(`${name} has no --tools: its own tools stay on in gateway chats; ${update}`);
  }
  return warnings;
}

/** The program refuses this itself, with exit code 1 and one line, so it is said before the first request. */
export function rootWarning(
  permissionMode: string,
  environment: NodeJS.ProcessEnv,
  userId: number | undefined,
): string | undefined {
  const isSandbox = environment.IS_SANDBOX === '1' || environment.CLAUDE_CODE_BUBBLEWRAP === '1';
  if (permissionMode !== 'bypassPermissions' || isSandbox || userId !== 0) return undefined;
  const way =
    'run it as another user, set permission_mode: acceptEdits, or, in a container, start it with IS_SANDBOX=1';
  return `Claude Code refuses permission_mode bypassPermissions as root, and drivebay runs as root: ${way}`;
}

const MAX_LINES = 5;

/** The warnings among what the program wrote to its standard error. */
export function stderrWarnings(stderr: string): string[] {
  if (stderr === '') return [];
  const lines = stderr.split('\n').filter((line) => /^\s*warning\b/i.test(line));
  return lines.slice(0, MAX_LINES).map((line) => line.trim());
}
