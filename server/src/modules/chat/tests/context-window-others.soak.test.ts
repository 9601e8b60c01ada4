import { testFitting } from '../../../testing/fitting-wires.ts';

testFitting('openai-responses', 'anthropic', 'google');
