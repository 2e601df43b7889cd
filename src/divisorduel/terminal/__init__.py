"""How do people play in a terminal?"""
