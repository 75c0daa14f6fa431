import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', '.dist-*/', 'node_modules/', 'test/fixtures/'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.mjs', '*.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-explicit-any': 'error',
      // The package is CommonJS: `require` is how a module is loaded when it is needed.
      '@typescript-eslint/no-require-imports': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportDefaultDeclaration',
          message: 'Named exports only; a default export belongs to a plug-in entry.',
        },
      ],
    },
  },
  { files: ['plugins/*/index.ts', '*.mjs'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // Where a gateway runs in front of the fake server. Elsewhere a test is the only one to ask it.
    files: ['test/**'],
    ignores: ['test/{http,plugins,dashboard,limits}/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'MemberExpression[object.property.name="requests"]' +
            ':not([object.object.property.name="body"]):matches([computed=true], [property.name=/^(at|slice)$/])',
          message: 'A check of a provider may come between: read posts(upstream), of test/setup/upstream.ts.',
        },
      ],
    },
  },
  { files: ['**/*.js', '**/*.mjs', 'bin/cli'], ...tseslint.configs.disableTypeChecked },
  { files: ['docs/examples/**', 'docs/templates/**'], rules: { 'no-restricted-syntax': 'off' } },
);
