// Serves the existing build, as the image does. `npm start` rebuilds stale parts first.
import { serverScript, supervise } from './supervise.mjs';

supervise(serverScript);
