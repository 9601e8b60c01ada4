import type { RequestHandler } from 'express';

/** Express setting: milliseconds without progress after which a slow reader is disconnected. */
export const readerTimeout = 'reader timeout';

/** Disconnects clients that stop reading a response: its unsent rest is buffered in memory (backpressure). */
export const disconnectSlowReaders: RequestHandler = (request, response, next) => {
  const { socket } = request;
  response.setTimeout(request.app.get(readerTimeout), () => {
    // Without buffered output the client is not slow: the response is still being generated.
    if (socket.writableLength > 0) {
      socket.destroy();
    }
  });
  next();
};
