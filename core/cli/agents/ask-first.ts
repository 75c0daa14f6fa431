import { AgentTrust } from '../../config/agent-trust';
import { codeOf, hintOf, messageOf } from '../../errors';
import { EXIT } from '../exit-codes';
import { workingDirectory } from '../here';
import { printNote, printWarnings } from '../terminal/print';
import { canAsk, confirm } from '../terminal/prompt';

/** Asks the user a question to which no answer means no. */
export type AskUser = (question: string) => Promise<boolean>;

/**
 * Starts the work of agents. On a terminal, the first work in a folder by a program that acts without asking needs the
 * consent of the user, because such an agent may do more than its user expects. Resolves with the exit code.
 */
export async function askingFirst(
  start: (asked: { askFirst: boolean }) => Promise<number>,
  ask: AskUser = confirm,
  workingIn: string = workingDirectory(),
): Promise<number> {
  const trust = new AgentTrust(workingIn);
  const { folder } = trust;
  if (trust.isGiven) return start({ askFirst: false });
  try {
    return await start({ askFirst: true });
  } catch (error) {
    if (codeOf(error) !== 'ask_first') throw error;
    if (!canAsk()) {
      printNote(`note: ${messageOf(error)}, in ${folder}`);
      return start({ askFirst: false });
    }
    printNote(`${messageOf(error)}, in ${folder}`);
    const hint = hintOf(error);
    if (hint !== undefined) printNote(`  ${hint}`);
  }
  if (!(await ask('Let agents work in this folder?'))) {
    printNote('nothing was started');
    return EXIT.failure;
  }
  const problem = trust.give();
  if (problem) printWarnings([problem]);
  return start({ askFirst: false });
}
