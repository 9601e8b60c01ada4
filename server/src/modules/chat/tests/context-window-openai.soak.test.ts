import { testFitting } from '../../../testing/fitting-wires.ts';

testFitting('openai', 'mistral');
