import type { Device, LlmDevice } from '../../core/devices/device';
import { DeviceTable } from '../../core/devices/device-table';

const device = (kind: string, name: string) => ({ kind, name, path: `/dev/${kind}/${name}` }) as Device;

test('a device that answers no chats is a device all the same, and no model', () => {
  const [files, groq] = [device('mcp', 'files'), device('llm', 'groq') as LlmDevice];
  const table = new DeviceTable([files, groq]);
  expect(table.list()).toEqual([files, groq]);
  expect(table.llms()).toEqual([groq]);
  expect(table.llm('groq')).toBe(groq);
  expect(table.llm('files')).toBeUndefined();
});
