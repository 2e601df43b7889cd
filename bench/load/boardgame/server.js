// The boardgame.io server with the game chain: node server.js PORT [FOLDER]
// Stores matches in the folder with FlatFile, or in memory without one.
'use strict';

const { FlatFile, Origins, Server } = require('boardgame.io/server');
const { Chain } = require('./chain.js');

// node-persist reads all its files every two minutes, sometimes one that is being written. Without
// this handler Node.js would exit.
process.on('unhandledRejection', (error) => console.error(error));

const [port, folder] = process.argv.slice(2);
const server = Server({
  games: [Chain],
  origins: [Origins.LOCALHOST],
  ...(folder ? { db: new FlatFile({ dir: folder }) } : {}),
});
server.run(Number(port), () => console.log('ready'));
