import { lockFolder } from '../platform/storage/lock-folder.ts';

// Run by tests in a separate process: locks a data folder, prints a message, and waits until
// killed.
lockFolder(process.argv[2] ?? '');
process.stdout.write('taken\n');
setInterval(() => undefined, 60_000);
