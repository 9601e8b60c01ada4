import { config } from 'zod';

// zod compiles its parsers with `new Function`, which the page's content security policy blocks and reports.
// Schemas check this when they are created, so this file is imported first.
config({ jitless: true });
