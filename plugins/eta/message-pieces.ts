import { fieldsOf, isFields, listOf, textOf, type Fields } from '../_shared/fields';

/** The kinds of deltas by which a block grows, by the type of the block and the field that they make. */
const DELTAS: Record<string, Record<string, string>> = {
  text: { text: 'text_delta' },
  thinking: { thinking: 'thinking_delta', signature: 'signature_delta' },
};

/**
 * Programs read what a block holds from its deltas alone. Some servers put a whole answer into the beginning of the message,
 * or a whole block into its start.
 */
export class MessagePieces {
  /** The arguments in the start of a call, until a delta brings some. */
  private readonly inputs = new Map<unknown, string>();

  /** The pieces that say the same in deltas; undefined for a piece that does so itself. */
  spread(piece: Fields): Fields[] | undefined {
    switch (piece.type) {
      case 'message_start':
        return this.spreadMessage(piece);
      case 'content_block_start':
        return isFields(piece.content_block) ? this.spreadBlock(piece, piece.content_block) : undefined;
      case 'content_block_delta':
        if (textOf(fieldsOf(piece.delta).partial_json) !== undefined) this.inputs.delete(piece.index);
        return undefined;
      case 'content_block_stop': {
        const input = this.inputs.get(piece.index);
        this.inputs.delete(piece.index);
        return input === undefined
          ? undefined
          : [toDelta(piece.index, 'input_json_delta', 'partial_json', input), piece];
      }
      default:
        return undefined;
    }
  }

  private spreadMessage(piece: Fields): Fields[] | undefined {
    const message = fieldsOf(piece.message);
    const blocks = listOf(message.content).filter(isFields);
    if (blocks.length === 0) return undefined;
    const parts = blocks.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]);
    const start = { ...piece, message: { ...message, content: [] } };
    return [start, ...parts.flatMap((part) => this.spread(part) ?? [part])];
  }

  private spreadBlock(piece: Fields, block: Fields): Fields[] | undefined {
    const { index } = piece;
    if (block.type === 'tool_use' && isFields(block.input) && Object.keys(block.input).length > 0) {
      this.inputs.set(index, JSON.stringify(block.input));
      return [{ ...piece, content_block: { ...block, input: {} } }];
    }
    const said = Object.entries(DELTAS[String(block.type)] ?? {}).flatMap(([name, type]) => {
      const text = textOf(block[name]);
      return text === undefined ? [] : [{ name, type, text }];
    });
    if (said.length === 0) return undefined;
    const empty = Object.fromEntries(said.map(({ name }) => [name, '']));
    const deltas = said.map(({ name, type, text }) => toDelta(index, type, name, text));
    return [{ ...piece, content_block: { ...block, ...empty } }, ...deltas];
  }
}

function toDelta(index: unknown, type: string, name: string, text: string): Fields {
  return { type: 'content_block_delta', index, delta: { type, [name]: text } };
}
