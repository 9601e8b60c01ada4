import { configure } from '@testing-library/react';

// For Vitest, before each file of the client: a second is little on a machine with other work.
configure({ asyncUtilTimeout: 8000 });
