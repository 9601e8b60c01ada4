import type { RequestHandler } from 'express';

/** The setting of the application with the milliseconds after which a reader who takes nothing counts as gone. */
export const readerTimeout = 'reader timeout';

/** Ends the connection of a reader who takes nothing of an answer: it is held in memory meanwhile. */
export const limitReaders: RequestHandler = (request, response, next) => {
  const { socket } = request;
  response.setTimeout(request.app.get(readerTimeout), () => {
    // Without anything to read nobody is late: the answer is still being made.
    if (socket.writableLength > 0) {
      socket.destroy();
    }
  });
  next();
};
