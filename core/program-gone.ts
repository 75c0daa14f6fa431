import { sep } from 'node:path';
import { codeOf, HintedError, messageOf } from './errors';
import { packageRoot } from './package';

/** An update, a move or a removal of the package, below a program that runs: what it loads at its first use is not there. */
export class ProgramGone extends HintedError {
  readonly code = 'program_gone';
  constructor() {
    super(
      'the program of the daemon was moved, replaced or removed since its start',
      'run: drivebay daemon restart; or end `drivebay serve` with Ctrl-C and start it again',
    );
    this.name = 'ProgramGone';
  }
}

/** Returns a ProgramGone for an error about a missing part of the package, and any other error unchanged. */
export function explainPart(error: unknown): unknown {
  const { cause } = (error ?? {}) as { cause?: unknown };
  return isPartMissing(error) || isPartMissing(cause) ? new ProgramGone() : error;
}

/** A plug-in may miss a module of its own: the first line names it, and the stack of `require` begins with who wanted it. */
function isPartMissing(error: unknown): boolean {
  const { path, requireStack } = (error ?? {}) as { path?: unknown; requireStack?: unknown };
  const ours = packageRoot + sep;
  switch (codeOf(error)) {
    case 'ENOENT':
      return typeof path === 'string' && path.startsWith(ours);
    case 'MODULE_NOT_FOUND':
    case 'ERR_MODULE_NOT_FOUND': {
      const [wantedBy = ''] = Array.isArray(requireStack) ? (requireStack as unknown[]) : [];
      return [messageOf(error).split('\n')[0]!, String(wantedBy)].some((text) => text.includes(ours));
    }
    default:
      return false;
  }
}
