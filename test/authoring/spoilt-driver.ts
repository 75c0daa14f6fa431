import { type Backend, conformanceCases } from 'drivebay/testing';
import { tempHome } from '../setup/temp-home';

/** What is wrong, the case that is meant for it, the code that is replaced, and the code in its place. */
export type Defect = [name: string, id: string, sound: string, broken: string];

/** In front of every spoilt driver: what its defect may need. */
const PRELUDE = `
  let shared;
  async function* quietly(bytes) {
    let held = Buffer.alloc(0);
    try {
      for await (const more of bytes) {
        held = Buffer.concat([held, more]);
        const end = held.lastIndexOf(10) + 1;
        yield held.subarray(0, end);
        held = held.subarray(end);
      }
    } catch {}
    yield Buffer.from('{"end":"stop"}\\n');
  }
`;

const home = tempHome();

/** One test per defect: the case that is meant for it fails, for the driver and not because it is excluded. */
export function testDefects(defects: Defect[], code: string, manifest: object, backend: Backend): void {
  defects.forEach(([name, id, sound, broken], index) => {
    test(`a driver that ${name} is caught by ${id}`, async () => {
      expect(code).toContain(sound);
      const spoilt = PRELUDE + code.replace(sound, () => broken);
      const directory = home.plugin(`spoilt-${index}`, { code: spoilt, manifest: { ...manifest } });
      const meant = conformanceCases({ directory, backend }).find((each) => each.id === id)!;
      expect(meant.excluded).toBeUndefined();
      await expect(meant.run()).rejects.toThrow();
    });
  });
}
