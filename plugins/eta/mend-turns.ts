import { isFields, textOf, type Fields } from '../_shared/fields';
import { toCallId } from './content-block';

interface TurnMending {
  withoutThoughts: boolean;
  /** Whether this is the vendor itself: another server may sign in a way of its own. */
  isVendor: boolean;
}

/**
 * Turns of a client of this wire that another model has answered in between: the vendor refuses thinking that it has not
 * signed, and the ids of some other vendors' calls. Undefined where there is nothing to mend.
 */
export function mendTurns(turns: unknown[], mending: TurnMending): unknown[] | undefined {
  let isChanged = false;
  const mended = turns.flatMap((turn) => {
    if (!isFields(turn) || !Array.isArray(turn.content)) return [turn];
    const content = mendContent(turn.content, mending);
    if (!content) return [turn];
    isChanged = true;
    return content.length > 0 ? [{ ...turn, content }] : [];
  });
  return isChanged ? mended : undefined;
}

function mendContent(blocks: unknown[], mending: TurnMending): unknown[] | undefined {
  let isChanged = false;
  const mended = blocks.flatMap((block) => {
    const kept = isFields(block) ? mendBlock(block, mending) : block;
    isChanged ||= kept !== block;
    return kept === undefined ? [] : [kept];
  });
  return isChanged ? mended : undefined;
}

function mendBlock(block: Fields, { withoutThoughts, isVendor }: TurnMending): Fields | undefined {
  switch (block.type) {
    case 'thinking':
      return withoutThoughts || !isSigned(block.signature, isVendor) ? undefined : block;
    case 'redacted_thinking':
      return withoutThoughts || !isSigned(block.data, isVendor) ? undefined : block;
    case 'tool_use':
      return withCallId(block, 'id');
    case 'tool_result':
      return withCallId(block, 'tool_use_id');
    default:
      return block;
  }
}

/** The vendor's signatures are base64. Others are none, or keep the thinking of another model. */
function isSigned(signature: unknown, isVendor: boolean): boolean {
  return textOf(signature) !== undefined && (!isVendor || /^[A-Za-z0-9+/=]+$/.test(signature as string));
}

function withCallId(block: Fields, name: string): Fields {
  const id = block[name];
  if (typeof id !== 'string') return block;
  const valid = toCallId(id);
  return valid === id ? block : { ...block, [name]: valid };
}
