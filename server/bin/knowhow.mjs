#!/usr/bin/env node
// npx knowhow: the command-line tool for authors and CI. See `npx knowhow --help`.
import { buildServerIfStale } from './prepare.mjs';

buildServerIfStale();
await import('../dist/cli.js');
