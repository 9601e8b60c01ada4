import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const shared = {
  find: /^@knowhow\/shared\/(.+)$/,
  replacement: `${fileURLToPath(new URL('./shared/src/', import.meta.url))}$1.ts`,
};

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: [shared] },
        test: {
          name: 'server',
          include: ['shared/src/**/*.test.ts', 'server/src/**/*.test.ts'],
          environment: 'node',
        },
      },
      {
        resolve: { alias: [shared] },
        test: {
          name: 'client',
          include: ['client/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
        },
      },
    ],
  },
});
