package it.polimi.ingsw.client.representations;

public enum MarbleColors { WHITE, RED, BLUE, YELLOW, GREY, PURPLE }
