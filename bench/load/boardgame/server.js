// boardgame.io's server with the game chain: node server.js PORT [FOLDER]
// With a folder it keeps the matches there, in FlatFile; otherwise in memory.
'use strict';

const { FlatFile, Origins, Server } = require('boardgame.io/server');
const { Chain } = require('./chain.js');

// node-persist looks through its files every two minutes, and now and then reads one that is being
// written; Node would end for that.
process.on('unhandledRejection', (error) => console.error(error));

const [port, folder] = process.argv.slice(2);
const server = Server({
  games: [Chain],
  origins: [Origins.LOCALHOST],
  ...(folder ? { db: new FlatFile({ dir: folder }) } : {}),
});
server.run(Number(port), () => console.log('ready'));
