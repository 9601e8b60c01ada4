// Serves what is built, as the image does. `npm start` builds first what is stale.
import { serverScript, supervise } from './supervise.mjs';

supervise(serverScript);
