import { config } from 'zod';

// zod compiles its parsers with `new Function`; the page's content security policy forbids that, and
// already the attempt is reported. Schemas look when they are made, so this file is imported first.
config({ jitless: true });
