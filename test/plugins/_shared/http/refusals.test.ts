import { Refusals } from '../../../../plugins/_shared/http/refusals';
import { DriverError } from '../../../../core/contract/driver-error';
import { newCall } from '../../harness';

const refusal = (message: string) => new DriverError('rejected', 'x', { status: 400, answer: { error: { message } } });

/** A vendor that refuses the named part until it is left out. */
class Vendor {
  asked = 0;
  private readonly refusals = new Refusals([{ words: /^(\w+) is odd/g }], new Set(['essential']));

  async chat(model: string, parts: object, refused: string): Promise<void> {
    await this.refusals.send(model, newCall(), [], (without) => ({
      parts: () => ({ ...parts }),
      send: () => {
        this.asked += 1;
        return without.has(refused) ? Promise.resolve() : Promise.reject(refusal(`${refused} is odd`));
      },
    }));
  }
}

test('what a model refuses is remembered, and the oldest of very many models makes room', async () => {
  const vendor = new Vendor();
  for (let n = 0; n < 200; n += 1) await vendor.chat(`model-${n}`, { a: 1 }, 'a');
  expect(vendor.asked).toBe(400);
  await vendor.chat('model-0', { a: 1 }, 'a');
  expect(vendor.asked).toBe(401);
  await vendor.chat('one more', { a: 1 }, 'a');
  await vendor.chat('model-1', { a: 1 }, 'a');
  expect(vendor.asked).toBe(404);
  await vendor.chat('model-0', { a: 1 }, 'a');
  expect(vendor.asked).toBe(406);
});

test.each<[string, object]>([
  ['essential', { essential: 1 }],
  ['absent', { a: 1 }],
  ['empty', { empty: undefined }],
  // Names that every object of the language has: asking again without them would never end.
  ['constructor', {}],
  ['__proto__', {}],
])('the refusal of a part that is %s is the client’s to hear', async (refused, parts) => {
  const vendor = new Vendor();
  await expect(vendor.chat('m', parts, refused)).rejects.toMatchObject({ code: 'rejected' });
  expect(vendor.asked).toBe(1);
});

test('what a server refuses at one model is left out for every model', async () => {
  const refusals = new Refusals([{ words: /counts are unknown/g, parts: ['counts'], scope: 'server' }]);
  const asked: string[] = [];
  const chat = (model: string) =>
    refusals.send(model, newCall(), [], (without) => ({
      parts: () => ({ counts: without.has('counts') ? undefined : true }),
      send: () => {
        asked.push(`${model} ${without.has('counts') ? 'without' : 'with'}`);
        return without.has('counts') ? Promise.resolve() : Promise.reject(refusal('counts are unknown'));
      },
    }));
  await chat('one');
  await chat('two');
  expect(asked).toEqual(['one with', 'one without', 'two without']);
});
