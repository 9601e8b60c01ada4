import { lockFolder } from '../storage/lock-folder.ts';

// Run by tests as a process of its own: takes a data folder, says so, and stays until it is ended.
lockFolder(process.argv[2] ?? '');
process.stdout.write('taken\n');
setInterval(() => undefined, 60_000);
