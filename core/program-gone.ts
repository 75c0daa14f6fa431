import { join, sep } from 'node:path';
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
  return [error, cause].some(isPartMissing) ? new ProgramGone() : error;
}

/** What belongs to the program. In a clone of it, plug-ins and projects of the user may lie beside these. */
const PARTS = ['bin', 'dist', 'docs', 'node_modules', 'plugins'].map((part) => join(packageRoot, part) + sep);

/** A plug-in may miss a module of its own: the first line names it, and the stack of `require` begins with who wanted it. */
function isPartMissing(error: unknown): boolean {
  const { path, requireStack } = (error ?? {}) as { path?: unknown; requireStack?: unknown };
  switch (codeOf(error)) {
    case 'ENOENT':
      return typeof path === 'string' && PARTS.some((part) => path.startsWith(part));
    case 'MODULE_NOT_FOUND':
    case 'ERR_MODULE_NOT_FOUND': {
      const [wantedBy = ''] = Array.isArray(requireStack) ? (requireStack as unknown[]) : [];
      const texts = [messageOf(error).split('\n')[0]!, String(wantedBy)];
      return PARTS.some((part) => texts.some((text) => text.includes(part)));
    }
    default:
      return false;
  }
}
