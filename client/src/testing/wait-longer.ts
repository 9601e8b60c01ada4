import { configure } from '@testing-library/react';

// Vitest setup of each client test file: the default of one second is too short on a busy machine.
configure({ asyncUtilTimeout: 8000 });
