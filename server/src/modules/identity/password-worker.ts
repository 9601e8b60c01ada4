import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcryptjs';
import { lowerPriority } from '../../platform/lib/lower-priority.ts';
import type { PasswordAnswer, PasswordTask } from './password-task.ts';

// Runs in a worker thread, one password at a time: see `passwords.ts`.
lowerPriority();
parentPort?.on('message', (task: PasswordTask) => parentPort?.postMessage(answer(task)));

function answer(task: PasswordTask): PasswordAnswer {
  return task.kind === 'hash'
    ? bcrypt.hashSync(task.text, task.rounds)
    : bcrypt.compareSync(task.text, task.hash);
}
