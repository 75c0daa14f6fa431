import { toResponsesBody } from '../../../plugins/epsilon/responses-body';
import { chatRequest } from '../harness';

test.each([
  [true, ['gAAA']],
  [false, ['gAAA', '-of-another']],
])('reasoning that is not encrypted as the vendor does it is left out (at the vendor: %p)', (isVendor, kept) => {
  const input = ['gAAA', '-of-another', ''].map((encrypted_content) => ({ type: 'reasoning', encrypted_content }));
  const { body } = toResponsesBody(chatRequest(), { input }, { without: new Map(), isVendor });
  expect(body.input).toMatchObject(kept.map((encrypted_content) => ({ encrypted_content })));
});
