#!/usr/bin/env node
// npx knowhow: the command for authors and CI. `npx knowhow --help` says what it does.
import { buildServerIfStale } from './prepare.mjs';

buildServerIfStale();
await import('../dist/cli.js');
