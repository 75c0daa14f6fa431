import { addTurn, dollars, NO_TURNS } from '../../core/record/usage';

test('a sum of dollars has no digits of the arithmetic', () => {
  const [one, two] = [0.1, 0.2].map((costUsd) => ({ ok: true, costUsd }));
  expect(addTurn(addTurn(NO_TURNS, one!), two!).costUsd).toBe(0.3);
  expect(dollars(19_203 * 0.000001)).toBe(0.019203);
});

test('the price of one cheap token stays what it is', () => {
  expect(dollars(1.5e-7)).toBe(1.5e-7);
});

test('a cost beyond all numbers is one that JSON can hold', () => {
  const cost = dollars(1e300 * 1e300);
  expect(
    JSON.parse(JSON.stringify(addTurn(addTurn(NO_TURNS, { ok: true, costUsd: cost }), { ok: true, costUsd: cost }))),
  ).toMatchObject({ costUsd: cost });
});
