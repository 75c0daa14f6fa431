import type { Tool, ToolChoice } from '../../../contract/api';
import { toToolName } from '../../../devices/tool-names';
import { type Fields, isFields } from '../../../fields';
import { toTool } from '../../parse-tool';
import { invalidRequest } from '../../read-fields';
import { ifText, listAt, nameAt, objectAt } from '../../value-at';

/** A tool as the client knows it. */
export interface ClientTool {
  /** Of a custom tool the argument is a text, not JSON. */
  kind: 'function' | 'custom';
  name: string;
  namespace: string | undefined;
}

/** The way back from a call to the client's own tool. It is all that is kept of the tools while the answer runs. */
export class ClientTools {
  readonly byFlatName = new Map<string, ClientTool>();

  /** The tool that a call means. A name that was not offered goes to the client as it is. */
  find(flatName: string): ClientTool {
    return this.byFlatName.get(flatName) ?? { kind: 'function', name: flatName, namespace: undefined };
  }
}

/**
 * The tools of a request: functions, as every driver takes them, and those of the client behind them.
 * It is made anew from each request, so that nothing has to be kept between two.
 */
export class ToolMap {
  readonly tools: Tool[] = [];
  /** The types of the tools that only the backend of one vendor can run. They are left out. */
  readonly leftOut = new Set<string>();
  readonly client = new ClientTools();
  private readonly flatNames = new Map<string, string>();

  /** Of two tools with one name the first counts. */
  add(tools: readonly unknown[], path: string): void {
    tools.forEach((tool, index) => this.addTool(objectAt(`${path}[${index}]`, tool), `${path}[${index}]`));
  }

  /** The name by which drivers know a tool, also one that is not offered any more. */
  flatName(name: string, namespace: string | undefined): string {
    return this.flatNames.get(keyOf(name, namespace)) ?? flatten(name, namespace);
  }

  /** Undefined: the choice names a tool that was left out. A list of allowed tools takes the others away. */
  choose(choice: string | Fields): ToolChoice | undefined {
    const type = typeof choice === 'string' ? choice : choice.type;
    if (type === 'auto' || type === 'none' || type === 'required') return { type };
    if (typeof choice === 'string') throw invalidRequest(`tool_choice: there is no "${choice}"`, 'tool_choice');
    if (type === 'function' || type === 'custom') return { type: 'tool', name: this.offered(choice) };
    if (type !== 'allowed_tools') return undefined;
    const wanted = Array.isArray(choice.tools) ? choice.tools.filter(isFields) : [];
    const names = new Set(wanted.filter(({ type }) => type === 'function' || type === 'custom').map(this.offered));
    this.tools.splice(0, this.tools.length, ...this.tools.filter(({ name }) => names.has(name)));
    return { type: choice.mode === 'required' ? 'required' : 'auto' };
  }

  private readonly offered = (choice: Fields): string => {
    const name = nameAt('tool_choice.name', choice.name);
    const flat = this.flatNames.get(keyOf(name, ifText(choice.namespace)));
    if (flat !== undefined) return flat;
    throw invalidRequest(`tool_choice: no tool in "tools" has the name "${name}"`, 'tool_choice');
  };

  private addTool(tool: Fields, path: string, namespace?: { name: string; description: string }): void {
    const { type } = tool;
    if (type === 'namespace') {
      const name = nameAt(`${path}.name`, tool.name);
      const members = listAt(`${path}.tools`, tool.tools);
      members.forEach((member, index) => {
        const place = `${path}.tools[${index}]`;
        this.addTool(objectAt(place, member), place, { name, description: ifText(tool.description) ?? '' });
      });
    } else if (type === 'function' || type === 'custom') {
      const name = nameAt(`${path}.name`, tool.name);
      const flat = this.register({ kind: type, name, namespace: namespace?.name });
      if (flat === undefined) return;
      const parsed = type === 'function' ? toTool(flat, tool, path) : customFunction(tool, flat);
      const description = [namespace?.description, parsed.description].filter(Boolean).join('\n\n');
      if (description) parsed.description = description;
      this.tools.push(parsed);
    } else {
      this.leftOut.add(nameAt(`${path}.type`, type));
    }
  }

  /** Undefined: there is such a tool already. */
  private register(tool: ClientTool): string | undefined {
    const key = keyOf(tool.name, tool.namespace);
    if (this.flatNames.has(key)) return undefined;
    const plain = flatten(tool.name, tool.namespace);
    let flat = plain;
    for (let count = 2; this.client.byFlatName.has(flat); count += 1) flat = toToolName(`${plain}_${count}`);
    this.flatNames.set(key, flat);
    this.client.byFlatName.set(flat, tool);
    return flat;
  }
}

/** A model that ignores the grammar gets the client's own parse error back, and tries again. */
function customFunction({ description, format }: Fields, name: string): Tool {
  const texts = [ifText(description)];
  if (isFields(format) && typeof format.definition === 'string') {
    texts.push(`The input must match this ${ifText(format.syntax) ?? ''} grammar:\n${format.definition}`);
  }
  const input = { type: 'string', description: 'The whole input of the tool, as plain text.' };
  const parameters = { type: 'object', properties: { input }, required: ['input'], additionalProperties: false };
  return { name, description: texts.filter(Boolean).join('\n\n'), parameters };
}

function flatten(name: string, namespace: string | undefined): string {
  return toToolName(namespace === undefined ? name : `${namespace}__${name}`);
}

function keyOf(name: string, namespace: string | undefined): string {
  return `${namespace ?? ''}\0${name}`;
}
